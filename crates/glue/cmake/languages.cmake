# What every project is given once it has its languages: C and assembly.

if(CMAKE_CURRENT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR AND NOT FUSEE_LANGUAGES)
    set(FUSEE_LANGUAGES TRUE)
    enable_language(C)
    enable_language(ASM)
    include(CMakeDetermineCompileFeatures)
    cmake_determine_compile_features(C)
endif()

# Fusee compiles. What CMake builds is only what it makes sources and headers of, so its objects are empty.
foreach(language IN ITEMS C CXX ASM)
    set(CMAKE_${language}_COMPILE_OBJECT "<CMAKE_COMMAND> -E touch <OBJECT>")
    set(CMAKE_${language}_CREATE_STATIC_LIBRARY "<CMAKE_COMMAND> -E touch <TARGET>")
    set(CMAKE_${language}_ARCHIVE_CREATE "<CMAKE_COMMAND> -E touch <TARGET>")
    set(CMAKE_${language}_ARCHIVE_FINISH "")
    set(CMAKE_${language}_LINK_EXECUTABLE "<CMAKE_COMMAND> -E touch <TARGET>")
    unset(CMAKE_DEPFILE_FLAGS_${language})
    unset(CMAKE_${language}_DEPFILE_FORMAT)
    unset(CMAKE_${language}_DEPENDS_USE_COMPILER)
endforeach()
