// Returns PORTAL_FILE if it is the file at the index. portal.c includes this once for each file.
    if (index-- == 0) {
        static const uint8_t bytes[] = {
#embed PORTAL_FILE
        };
        return (photolala_portal_file){&PORTAL_FILE[sizeof "../PhotolalaPortal/" - 1], bytes, sizeof bytes};
    }
#undef PORTAL_FILE
