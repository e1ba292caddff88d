# Installs the build in BUILD, moves what was installed, and builds and runs the consumer against it.
# Called with -P by the test.
set(work ${BUILD}/tests/consumer)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    string(REPLACE "\n" "\n  " said "${said}")
    message(FATAL_ERROR "Failed (${code}):\n  ${command}\n  ${said}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

function(expect what pattern)
  if(NOT said MATCHES "${pattern}")
    message(FATAL_ERROR "${what} does not match ${pattern}:\n  ${said}")
  endif()
endfunction()

function(expect_no what)
  foreach(pattern IN LISTS ARGN)
    string(FIND "${said}" "${pattern}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${what} must not mention ${pattern}")
    endif()
  endforeach()
endfunction()

# Moved after the install: a package that works only where it was first put is broken.
run(${CMAKE_COMMAND} --install ${BUILD} --config "${CONFIG}" --prefix ${work}/first)
file(RENAME ${work}/first ${work}/moved)

file(GLOB_RECURSE tests ${work}/moved/*_test*)
if(tests)
  message(FATAL_ERROR "Tests were installed: ${tests}")
endif()
file(GLOB_RECURSE packages ${work}/moved/*.cmake)
foreach(package IN LISTS packages)
  file(READ ${package} said)
  expect_no(${package} ${SOURCE} ${work}/first -Werror tacit_warnings)
endforeach()

run(${CMAKE_COMMAND} -S ${SOURCE}/tests/consumer -B ${work}/build -G ${GENERATOR}
  -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}"
  -DCMAKE_PREFIX_PATH=${work}/moved -DTACIT_WANTED=${VERSION})
run(${CMAKE_COMMAND} --build ${work}/build --config "${CONFIG}")
foreach(program consumer consumer_of_one_module)
  run(${work}/build/${program})
  expect("The output of ${program}" "^regret [1-9][0-9]*\\.[0-9] over 10 checkpoints\nguarantee central epsilon 0\\.5\n$")
endforeach()

# The same words give the same runs, whoever says them.
string(REGEX MATCH "[0-9]+\\.[0-9]" regret "${said}")
run(${work}/moved/bin/tacit simulate --policy anytime-lazy-ucb --epsilon 0.5 --problem hu-linear --horizon 1e5 --runs 20)
expect("What the command line prints" "anytime-lazy-ucb +${regret} ")

run(${work}/moved/bin/tacit --version)
expect("The version" "^tacit ${VERSION}\n$")
