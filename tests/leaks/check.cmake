cmake_minimum_required(VERSION 3.25)
# Where the exact value of a secret may be asked for. Types say that only a mechanism opens a Secret; this says
# which files may use the mechanism that hides nothing, and which may say that a number was released before.
# Run with -DSOURCE=<the source tree>.
#
# A baseline without privacy, the definitions themselves, and an auditor who made up the tables that are played:
set(allowed
  audit/watched.cpp
  privacy/exact.hpp
  privacy/secret.hpp
  curators/opened_stops.hpp
  curators/plans.cpp
  devices/of_plan.hpp
  devices/report_device.hpp
  simulation/channel.hpp)
# What papers leak, and those who build them:
set(published_rooms "^(curators|devices|policies/recipes|simulation/loops)/as_published/")

# A number that was released before: sums of releases, and what comes back from a saved state, a log or the wire.
set(released_again
  privacy/published.hpp
  privacy/secret.hpp
  curators/tree_sum.hpp
  curators/refined_tree_sum.hpp
  curators/hybrid_sum.hpp
  service/experiment.cpp)
set(released_again_rooms "^(live|audit)/")

file(GLOB_RECURSE files RELATIVE ${SOURCE}/lib/tacit ${SOURCE}/lib/tacit/*.hpp ${SOURCE}/lib/tacit/*.cpp)
list(FILTER files EXCLUDE REGEX "_test\\.(cpp|hpp)$")
set(leaks "")
set(forged "")
foreach(file IN LISTS files)
  file(READ ${SOURCE}/lib/tacit/${file} text)
  string(REGEX REPLACE "//[^\n]*" "" code "${text}")
  # By its whole name, whatever follows: Exact::release, an object of it, an alias, a base class.
  if(NOT file IN_LIST allowed AND NOT file MATCHES "${published_rooms}" AND
     code MATCHES "(^|[^A-Za-z_])(Exact|ExactReport|ExactBit|declassify|OpenStops|LeakingStops|RawStartReports)[^A-Za-z_]|privacy/exact\\.hpp|/as_published/")
    list(APPEND leaks ${file})
  endif()
  if(NOT file IN_LIST released_again AND NOT file MATCHES "${released_again_rooms}" AND
     code MATCHES "(^|[^A-Za-z_])Published[^A-Za-z_]|privacy/published\\.hpp")
    list(APPEND forged ${file})
  endif()
endforeach()
if(leaks)
  message(FATAL_ERROR "asks for the exact value of a secret, and is no baseline: ${leaks}")
endif()
if(forged)
  message(FATAL_ERROR "says that a number was released before, and cannot know: ${forged}")
endif()
