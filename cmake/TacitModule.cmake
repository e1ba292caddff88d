include(GNUInstallDirs)

# tacit_module(<folder> [COLD] DEPENDS <modules and libraries...>)
#
# One folder of lib/tacit, with the folders in it, is one static library and one test program: every *.cpp belongs to the library
# but for *_test.cpp, which are its tests. Folder = target = namespace.
# COLD: it reads, writes and tells, and nobody waits for that; it is compiled with little optimisation.
function(tacit_module folder)
  cmake_parse_arguments(arg "COLD" "" "DEPENDS" ${ARGN})
  set(dir ${PROJECT_SOURCE_DIR}/lib/tacit/${folder})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  set(target tacit_${folder})
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    # Ours alone: those who link the installed library choose their own warnings.
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tacit_warnings>)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(tacit::${folder} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} ${arg_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY TACIT_MODULES ${target})

  if(sources)
    tacit_use_precompiled(${target} library)
    if(arg_COLD)
      target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tacit_cold>)
    endif()
  endif()
  if(tests AND TACIT_TESTS)
    tacit_test(${folder} SOURCES ${tests} DEPENDS ${target})
  endif()
endfunction()
