include(GoogleTest)

# The statistics that tests share.
add_library(tacit_test_statistics STATIC ${PROJECT_SOURCE_DIR}/tests/statistics/goodness_of_fit.cpp)
target_include_directories(tacit_test_statistics PUBLIC ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(tacit_test_statistics PUBLIC Boost::headers PRIVATE tacit_warnings)

# Tests are cold: what they measure is the library, which is optimised as users have it. (Not optimised at all they
# would slow it down: of an inline function the linker keeps the copy that it meets first, which is a test's.)
#
# tacit_test(<name> SOURCES <files...> DEPENDS <libraries...> [PROPERTIES <of each test...>])
#
# The program <name>_test, whose tests are <name>.Suite.Test.
function(tacit_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;PROPERTIES" ${ARGN})
  add_executable(${name}_test ${arg_SOURCES})
  target_link_libraries(${name}_test PRIVATE ${arg_DEPENDS} tacit_test_statistics tacit_warnings tacit_cold GTest::gtest_main)
  target_compile_definitions(${name}_test PRIVATE TACIT_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  tacit_use_precompiled(${name}_test tests)
  if(arg_PROPERTIES)
    list(PREPEND arg_PROPERTIES PROPERTIES)
  endif()
  gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST ${arg_PROPERTIES})
endfunction()
