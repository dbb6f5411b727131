import Crypto
import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import Secrets

/// Produces any range of an export's bytes. Memory does not depend on the size of the export, and nothing of it is
/// stored except the digests of its photos.
package struct ExportReader: Sendable {
    private let plan: ExportPlan
    private let contents: ExportContents
    private let digests: any DigestStore

    package init(_ plan: ExportPlan, contents: ExportContents, digests: any DigestStore) {
        (self.plan, self.contents, self.digests) = (plan, contents, digests)
    }

    /// Produces the bytes of a range, in order.
    /// - Throws: The errors of the store; the bytes so far are then valid.
    package func read(_ range: Range<Int64>, _ emit: (ByteBuffer) async throws -> Void) async throws {
        var pass = ExportPass(
            plan: plan, contents: contents, digests: digests, output: ExportOutput(range: range),
            cursor: DigestCursor(plan.items, contents, digests))
        try await pass.writeHead(emit)
        try await pass.writeItems(emit)
        try await pass.writeManifest(emit)
        try await pass.writeDirectory(emit)
    }
}

/// One production of a range.
private struct ExportPass {
    let plan: ExportPlan
    let contents: ExportContents
    let digests: any DigestStore
    var output: ExportOutput
    var cursor: DigestCursor
    private var manifestDigests: (crc32: UInt32, sha256: String)?

    init(
        plan: ExportPlan, contents: ExportContents, digests: any DigestStore, output: ExportOutput,
        cursor: DigestCursor
    ) {
        (self.plan, self.contents, self.digests) = (plan, contents, digests)
        (self.output, self.cursor) = (output, cursor)
    }

    mutating func writeHead(_ emit: (ByteBuffer) async throws -> Void) async throws {
        for file in plan.files {
            let entry = file.zipEntry(at: plan.created)
            if output.skip(Int64(entry.headerSize) + entry.size) { continue }
            try await output.write(entry.header(crc32: file.crc32), emit)
            try await output.write(file.bytes, emit)
        }
    }

    mutating func writeItems(_ emit: (ByteBuffer) async throws -> Void) async throws {
        var index = plan.itemIndex(at: output.range.lowerBound)
        output.advance(to: plan.starts[index])
        var ahead: (digest: PhotoDigest, bytes: ByteBuffer?)?
        while index < plan.items.count, !output.isComplete {
            let item = plan.items[index]
            let bytes = try await writeHeader(of: item, index, ahead, emit)
            let next = index + 1
            let isNextUnknown = try await needsDigest(next)
            // The next photo is read while the client receives this one.
            let (contents, items) = (contents, plan.items)
            async let computed = isNextUnknown ? contents.digest(of: items[next]) : nil
            try await writePhoto(item, bytes, emit)
            if let sidecar = item.sidecar, let entry = item.sidecarEntry {
                try await output.write(entry.header(crc32: sidecar.crc32), emit)
                try await output.write(sidecar.bytes, emit)
            }
            ahead = try await computed
            index = next
        }
        output.advance(to: plan.manifestOffset)
    }

    private mutating func needsDigest(_ index: Int) async throws -> Bool {
        guard index < plan.items.count, plan.starts[index] < output.range.upperBound else { return false }
        return try await cursor.known(index) == nil
    }

    /// Writes the header of a photo.
    /// - Returns: The photo's bytes, if they were read for its digests and are few.
    private mutating func writeHeader(
        of item: ExportItem, _ index: Int, _ ahead: (digest: PhotoDigest, bytes: ByteBuffer?)?,
        _ emit: (ByteBuffer) async throws -> Void
    ) async throws -> ByteBuffer? {
        let entry = item.photoEntry
        // A download that continues within a photo needs its digests only for the manifest.
        if output.skip(Int64(entry.headerSize)) { return ahead?.bytes }
        var read = ahead
        if read == nil, let known = try await cursor.known(index) { read = (known, nil) }
        let (digest, bytes) = if let read { read } else { try await contents.digest(of: item) }
        try await cursor.add(digest, index, size: item.size)
        try await output.write(entry.header(crc32: digest.crc32), emit)
        return bytes
    }

    private mutating func writePhoto(
        _ item: ExportItem, _ bytes: ByteBuffer?, _ emit: (ByteBuffer) async throws -> Void
    ) async throws {
        if let bytes { return try await output.write(bytes, emit) }
        let wanted = output.wanted(of: item.size)
        if !wanted.isEmpty { try await contents.read(item, wanted, emit) }
        output.advance(by: item.size)
    }

    mutating func writeManifest(_ emit: (ByteBuffer) async throws -> Void) async throws {
        let entry = plan.manifestEntry
        if !output.skip(Int64(entry.headerSize) + entry.size) {
            try await output.write(entry.header(crc32: digestsOfManifest().crc32), emit)
            var output = output
            try await forEachManifestPiece { try await output.write($0, emit) }
            self.output = output
        }
        guard !output.isComplete else { return }
        let signature = try await signature()
        try await output.write(plan.signatureEntry.header(crc32: signature.crc32), emit)
        try await output.write(signature.bytes, emit)
    }

    private mutating func signature() async throws -> ExportFile {
        var pass = self
        let text = try await digests.signature { try await pass.digestsOfManifest().sha256 }
        self = pass
        guard text.utf8.count == plan.description.signatureSize else {
            throw ExportError.malformed(ExportPath.signature)
        }
        return ExportFile(path: ExportPath.signature, bytes: ByteBuffer(string: text))
    }

    private mutating func digestsOfManifest() async throws -> (crc32: UInt32, sha256: String) {
        if let manifestDigests { return manifestDigests }
        var (crc, hash) = (CRC32(), SHA256())
        try await forEachManifestPiece { piece in
            piece.withUnsafeReadableBytes {
                crc.update($0)
                hash.update(bufferPointer: $0)
            }
        }
        let computed = (crc.value, Hex.encode(hash.finalize()))
        manifestDigests = computed
        return computed
    }

    /// Calls a closure with the manifest's bytes, in pieces.
    private mutating func forEachManifestPiece(_ act: (ByteBuffer) async throws -> Void) async throws {
        var lines = ExportManifest.opening(plan.description)
        for (index, file) in plan.files.enumerated() {
            ExportManifest.appendLine(
                file.zipEntry(at: plan.created), sha256: file.sha256, isFirst: index == 0, to: &lines)
        }
        for index in 0..<plan.items.count {
            let item = plan.items[index]
            ExportManifest.appendLine(item, try await cursor.digest(index), to: &lines)
            if let sidecar = item.sidecar, let entry = item.sidecarEntry {
                ExportManifest.appendLine(entry, sha256: sidecar.sha256, to: &lines)
            }
            if lines.count >= Self.pieceSize {
                try await act(ByteBuffer(bytes: lines))
                lines.removeAll(keepingCapacity: true)
            }
        }
        try await act(ByteBuffer(bytes: lines + ExportManifest.closing))
    }

    /// The size of the pieces in which lists are written, in bytes.
    private static let pieceSize = 64 << 10

    mutating func writeDirectory(_ emit: (ByteBuffer) async throws -> Void) async throws {
        guard !output.isComplete else { return }
        var records = ZipRecords()
        for file in plan.files { records.add(file.zipEntry(at: plan.created), file.crc32) }
        for index in 0..<plan.items.count {
            let item = plan.items[index]
            records.add(item.photoEntry, try await cursor.digest(index).crc32)
            if let sidecar = item.sidecar, let entry = item.sidecarEntry { records.add(entry, sidecar.crc32) }
            if records.bytes.readableBytes >= Self.pieceSize { try await output.write(records.removeAll(), emit) }
        }
        records.add(plan.manifestEntry, try await digestsOfManifest().crc32)
        records.add(plan.signatureEntry, try await signature().crc32)
        try await output.write(records.removeAll(), emit)
        try await output.write(plan.endBytes, emit)
    }
}

/// Records of a central directory, for files that follow each other.
private struct ZipRecords {
    private(set) var bytes = ByteBuffer()
    private var position: Int64 = 0

    mutating func add(_ entry: ZipEntry, _ crc32: UInt32) {
        entry.writeRecord(crc32: crc32, at: position, to: &bytes)
        position += Int64(entry.headerSize) + entry.size
    }

    mutating func removeAll() -> ByteBuffer {
        let removed = bytes
        bytes = ByteBuffer()
        return removed
    }
}

extension ExportPlan {
    /// Returns the index of the last item that begins at or before a position.
    fileprivate func itemIndex(at position: Int64) -> Int {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle + 1] <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The position in an archive whose bytes are produced, and the range that is wanted.
private struct ExportOutput {
    let range: Range<Int64>
    private var position: Int64 = 0

    init(range: Range<Int64>) { self.range = range }

    /// Whether all wanted bytes were produced.
    var isComplete: Bool { position >= range.upperBound }

    /// Skips bytes if none of them are wanted.
    mutating func skip(_ count: Int64) -> Bool {
        guard position + count <= range.lowerBound || position >= range.upperBound else { return false }
        position += count
        return true
    }

    mutating func advance(by count: Int64) { position += count }

    mutating func advance(to position: Int64) { self.position = max(self.position, position) }

    /// Returns the wanted part of the next bytes.
    func wanted(of count: Int64) -> Range<Int64> {
        let first = min(max(0, range.lowerBound - position), count)
        return first..<max(first, min(count, range.upperBound - position))
    }

    /// Writes the wanted part of bytes.
    mutating func write(_ bytes: ByteBuffer, _ emit: (ByteBuffer) async throws -> Void) async throws {
        let wanted = wanted(of: Int64(bytes.readableBytes))
        position += Int64(bytes.readableBytes)
        if !wanted.isEmpty,
            let part = bytes.getSlice(at: bytes.readerIndex + Int(wanted.lowerBound), length: Int(wanted.count))
        {
            try await emit(part)
        }
    }
}
