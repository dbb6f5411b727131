import NIOCore

@testable import PhotoCatalog

extension MediaFacts {
    /// The facts read from a file alone, with any date before 2100.
    static func read(_ bytes: MediaBytes, type: MediaType) -> MediaFacts {
        MediaReading(bytes, type: type).facts(until: Timestamp(seconds: 4_102_444_800, nanoseconds: 0))
    }

    static func read(head: ByteBuffer, type: MediaType) -> MediaFacts { read(MediaBytes(head), type: type) }
}
