cmake_minimum_required(VERSION 3.25)
# Where the exact value of a secret may be asked for. Types say that only a mechanism opens a Secret; this says
# which files may use the mechanism that hides nothing. Run with -DSOURCE=<the source tree>.
#
# A baseline without privacy, and the definitions themselves:
set(allowed
  privacy/exact.hpp
  privacy/secret.hpp
  estimators/averaged_reports.hpp
  policies/recipes/cascade_baselines.hpp
  policies/recipes/combinatorial_baselines.hpp
  policies/recipes/full_information_baselines.hpp
  policies/recipes/kl_ucb.hpp
  policies/recipes/thompson.hpp
  policies/recipes/ucb1.hpp
  policies/catalogue.hpp)

file(GLOB_RECURSE files RELATIVE ${SOURCE}/lib/tacit ${SOURCE}/lib/tacit/*.hpp ${SOURCE}/lib/tacit/*.cpp)
set(leaks "")
foreach(file IN LISTS files)
  if(file MATCHES "_test\\.cpp$" OR file MATCHES "_as_published\\.hpp$" OR file IN_LIST allowed)
    continue()
  endif()
  file(READ ${SOURCE}/lib/tacit/${file} text)
  if(text MATCHES "Exact::|ExactReport|ExactBit|declassify|OpenEyes|LeakingEyes|include \"[a-z/_]*(baselines|as_published).hpp")
    list(APPEND leaks ${file})
  endif()
endforeach()
if(leaks)
  message(FATAL_ERROR "asks for the exact value of a secret, and is no baseline: ${leaks}")
endif()
