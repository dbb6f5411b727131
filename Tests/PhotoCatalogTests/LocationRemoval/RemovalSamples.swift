import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// A text that no shared copy may contain.
let secret = "35.6895N139.6917"

func big16(_ value: Int) -> [UInt8] { PhotoBytes.big16(value) }
func big32(_ value: Int) -> [UInt8] { PhotoBytes.big32(value) }
func little32(_ value: Int) -> [UInt8] { big32(value).reversed() }

extension [UInt8] {
    func contains(_ text: String) -> Bool { ByteWindow(ByteBuffer(bytes: self)).contains(Array(text.utf8)) }

    /// Returns a copy with other bytes at an offset.
    func replacing(at offset: Int, with bytes: [UInt8]) -> [UInt8] {
        Array(self[..<offset]) + bytes + Array(self[(offset + bytes.count)...])
    }
}

/// Plans the changes to a file in memory, within the limits of reads.
func removal(of bytes: [UInt8], _ type: MediaType) async throws -> LocationRemoval? {
    let file = ByteBuffer(bytes: bytes)
    var (reads, total) = (0, 0)
    let removal = try await LocationRemoval.plan(of: type, size: Int64(bytes.count)) { range in
        reads += 1
        total += range.count
        #expect(range.count <= 1 << 20)
        return try #require(file.getSlice(at: Int(range.lowerBound), length: range.count))
    }
    #expect(reads <= 4096 && total <= 64 << 20)
    return removal
}

/// Returns the shared copy of a file; `nil` if there is none.
func cleaned(_ bytes: [UInt8], _ type: MediaType) async throws -> [UInt8]? {
    var copy = ByteBuffer(bytes: bytes)
    guard let removal = try await removal(of: bytes, type) else { return nil }
    removal.apply(to: &copy, at: 0)
    #expect(copy.readableBytes == bytes.count)
    return Array(copy.readableBytesView)
}

/// Returns the shared copy of a file, which contains no secret and needs no further changes.
func checked(_ bytes: [UInt8], _ type: MediaType) async throws -> [UInt8] {
    #expect(bytes.contains(secret))
    let copy = try #require(try await cleaned(bytes, type))
    #expect(!copy.contains(secret))
    #expect(try await cleaned(copy, type) == copy)
    return copy
}

/// Expects that there is no shared copy.
func expectRefused(_ bytes: [UInt8], _ type: MediaType, location: SourceLocation = #_sourceLocation) async throws {
    #expect(try await removal(of: bytes, type) == nil, sourceLocation: location)
}
