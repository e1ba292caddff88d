# Six panels: two problems x three epsilons. Colours tell policies apart for colour-blind readers too (Okabe and
# Ito); what is not private is dashed.
set datafile missing "null"
set logscale xy
set format x "10^{%L}"
set grid lc rgb "#dddddd"
set tics font ",11"
set border 3
set tics nomirror
colours = "#0072B2 #E69F00 #999999 #56B4E9 #D55E00 #009E73 #000000"
policies = 7

do for [terminal_type in "svg png"] {
  if (terminal_type eq "svg") {
    set terminal svg size 1500,900 font "sans,13" background "white"
  } else {
    set terminal pngcairo size 1500,900 font "sans,12" background "white"
  }
  set output folder."/regret.".terminal_type
  set multiplot layout 2,3 margins 0.07,0.985,0.16,0.93 spacing 0.05,0.10
  set style fill transparent solid 0.15 noborder
  do for [problem in "hu-linear hu-equal"] {
    do for [epsilon in "0.25 0.5 1"] {
      data = folder."/".problem."-".epsilon.".dat"
      set title sprintf("%s, {/Symbol e} = %s", problem, epsilon) font ",14"
      set xrange [10:1e6]
      set yrange [1:10000]
      if (epsilon eq "0.25") { set ylabel "regret, mean of 40 runs and 95% band" } else { unset ylabel }
      if (problem eq "hu-equal") { set xlabel "round" } else { unset xlabel }
      if (problem eq "hu-equal" && epsilon eq "0.5") {
        set key at screen 0.52,0.055 center maxrows 2 font ",13" samplen 2.5
      } else { unset key }
      plot for [i=0:policies-1] data index i using 1:3:4 with filledcurves \
             lc rgb word(colours, i+1) notitle, \
           for [i=0:policies-2] data index i using 1:2 with lines lw 2 dt 1 \
             lc rgb word(colours, i+1) title columnheader(1), \
           data index policies-1 using 1:2 with lines lw 2 dt 2 \
             lc rgb word(colours, policies) title columnheader(1)
    }
  }
  unset multiplot
}
