// Files that are compiled into the programs. The C compiler copies them; of an array literal of their size the Swift
// compiler takes a quarter of a minute.
#ifndef CEMBEDDEDFILES_H
#define CEMBEDDEDFILES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *_Nonnull bytes;
    size_t size;
} photolala_file;

// Localization/Resources/texts.json
photolala_file photolala_texts(void);
// HEIFDecoder/Resources/heif.wasm.gz
photolala_file photolala_heif_decoder(void);
// PlaceNames/Resources/places.bin: the size and CRC-32 of a text, in little endian, and the text as raw DEFLATE data
photolala_file photolala_places(void);
// PhotolalaServer/WellKnown/openapi.yaml
photolala_file photolala_openapi(void);

typedef struct {
    // Relative to PhotolalaPortal; NULL after the last file.
    const char *_Nullable path;
    const uint8_t *_Nullable bytes;
    size_t size;
} photolala_portal_file;

// The files of PhotolalaPortal's folders, as portal.c lists them.
photolala_portal_file photolala_portal_file_at(size_t index);

#endif
