cmake_minimum_required(VERSION 3.25)
# The check is checked: each of these trees breaks one rule, and must be refused for it. Run with -DCHECK=<check.cmake>
# -DWORK=<an empty folder to make them in>.
function(must_be_refused name complaint)
  set(tree ${WORK}/${name})
  file(REMOVE_RECURSE ${tree})
  while(ARGN)
    list(POP_FRONT ARGN file text)
    file(WRITE ${tree}/lib/tacit/${file} "${text}\n")
  endwhile()
  execute_process(COMMAND ${CMAKE_COMMAND} -DSOURCE=${tree} -P ${CHECK} RESULT_VARIABLE result ERROR_VARIABLE said)
  if(complaint STREQUAL "")
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "${name}: refused, and nothing is wrong with it: ${said}")
    endif()
  elseif(result EQUAL 0)
    message(FATAL_ERROR "${name}: accepted, but must be refused")
  elseif(NOT said MATCHES "${complaint}")
    message(FATAL_ERROR "${name}: refused, but not for '${complaint}': ${said}")
  endif()
endfunction()

set(secret privacy/secret.hpp "template <class T> class Secret {};")
must_be_refused(nothing_wrong "" ${secret}
  curators/sums.hpp "#include \"tacit/privacy/secret.hpp\""
  policies/learner.hpp "#include \"tacit/core/round.hpp\"" core/round.hpp "// rounds")
must_be_refused(upward "core/round.hpp includes policies/learner.hpp"
  core/round.hpp "#include \"tacit/policies/learner.hpp\"" policies/learner.hpp "// none")
must_be_refused(sideways "problems/world.hpp includes policies/learner.hpp"
  problems/world.hpp "#include \"tacit/policies/learner.hpp\"" policies/learner.hpp "// none")
must_be_refused(unknown_room "not in the order: helpers" helpers/all.hpp "// none")
must_be_refused(straight "indices/ucb.hpp reaches the secret" ${secret}
  indices/ucb.hpp "#include \"tacit/privacy/secret.hpp\"")
must_be_refused(by_a_chain "policies/shell.hpp reaches the secret: policies/shell.hpp > curators/plans.hpp > privacy/laplace.hpp"
  ${secret} privacy/laplace.hpp "#include \"tacit/privacy/secret.hpp\""
  curators/plans.hpp "#include \"tacit/privacy/laplace.hpp\""
  policies/shell.hpp "#include \"tacit/curators/plans.hpp\"")
must_be_refused(by_a_forward_declaration "policies/shell.hpp names"
  policies/shell.hpp "namespace tacit::privacy { template <class T> class Secret }")
must_be_refused(with_the_key_of_the_noise "policies/shell.hpp names SimulationKey"
  policies/shell.hpp "void draw(const random::SimulationKey& key)")
