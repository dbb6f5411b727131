#include "CEmbeddedFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t bytes[] = {
#embed "../PlaceNames/Resources/places.bin"
};

photolala_file photolala_places(void) { return (photolala_file){bytes, sizeof bytes}; }
