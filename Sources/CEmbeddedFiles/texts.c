#include "CEmbeddedFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t bytes[] = {
#embed "../Localization/Resources/texts.json"
};

photolala_file photolala_texts(void) { return (photolala_file){bytes, sizeof bytes}; }
