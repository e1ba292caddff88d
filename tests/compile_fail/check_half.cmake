# Compiles one half of a pair: HALF is `compiles` or `refused`. Called with -P by the tests of this folder.
set(ENV{LC_ALL} C)  # the expected messages are in English
set(half)
if(HALF STREQUAL refused)
  set(half -DMUST_NOT_COMPILE)
endif()
separate_arguments(FLAGS UNIX_COMMAND "${FLAGS}")
list(TRANSFORM INCLUDES PREPEND -I)
execute_process(
  COMMAND ${COMPILER} ${FLAGS} ${INCLUDES} ${half} -fsyntax-only ${SOURCE}
  RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
string(REPLACE "\n" "\n  " details "${SOURCE}\n${said}")  # CMake rewraps what is not indented

if(HALF STREQUAL compiles)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "Refused, but must compile as it is:\n  ${details}")
  endif()
  return()
endif()

if(code EQUAL 0)
  message(FATAL_ERROR "Accepted, but must be refused:\n  ${details}")
endif()
file(STRINGS ${SOURCE} reasons REGEX "^// refused: ")
list(TRANSFORM reasons REPLACE "^// refused: " "")
list(JOIN reasons "|" reason)
if(NOT reason OR NOT said MATCHES "${reason}")
  message(FATAL_ERROR "Refused, but not for the intended reason:\n  ${reason}\n  ${details}")
endif()
