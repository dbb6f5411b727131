import LibraryExport
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// The export of one photo with its sidecar. Its header is written last: a photo without one was not completed.
struct ExportStep: Sendable {
    let index: Int
    let plan: ExportPlan
    let target: ExportTarget
    let digests: MemoryDigestStore
    let restore: Restore
    let refusal: ArchiveRefusal
    let report: @Sendable (RestoreEvent) -> Void
    let item: ExportItem

    init(
        index: Int, plan: ExportPlan, target: ExportTarget, digests: MemoryDigestStore, restore: Restore,
        refusal: ArchiveRefusal, report: @escaping @Sendable (RestoreEvent) -> Void
    ) {
        (self.index, self.plan, self.target, self.digests) = (index, plan, target, digests)
        (self.restore, self.refusal, self.report) = (restore, refusal, report)
        item = plan.items[index]
    }

    private var headerOffset: Int64 { plan.starts[index] }
    private var contentOffset: Int64 { headerOffset + Int64(item.photoEntry.headerSize) }

    func run() async -> RestoreOutcome {
        var attempt = 1
        while true {
            do throws(RestoreFailure) {
                if try await isWritten() { return .alreadyThere }
                return try await write()
            } catch {
                guard Self.isTransient(error), !Task.isCancelled, attempt < restore.settings.attempts else {
                    return .failed(await restore.requestRetrieval(of: item.entry, after: error, refusal))
                }
                await restore.pause.wait(attempt: attempt)
                attempt += 1
            }
        }
    }

    private static func isTransient(_ failure: RestoreFailure) -> Bool {
        switch failure {
        case .store(.unavailable), .store(.outcomeUnknown), .store(.conflict): true
        default: false
        }
    }

    /// Returns whether an earlier run wrote the photo completely and undamaged. Reads it.
    private func isWritten() async throws(RestoreFailure) -> Bool {
        guard target.file.foundLength >= contentOffset else { return false }
        let (entry, start) = (item.photoEntry, headerOffset)
        let header = try await files { file throws(FileError) in
            try file.read(from: start, count: entry.headerSize)
        }
        guard let found = ZipHeader(header), header == entry.header(crc32: found.crc32) else { return false }
        var (hasher, offset) = (PhotoHasher(), Int64(0))
        while offset < item.size {
            let (position, count) = (
                contentOffset + offset, Int(min(Int64(RestoreStep.pieceLength), item.size - offset))
            )
            let bytes = try await files { file throws(FileError) in try file.read(from: position, count: count) }
            guard bytes.readableBytes == count else { return false }
            hasher.update(bytes)
            offset += Int64(count)
        }
        let digest = hasher.digest(expecting: item.entry.md5)
        guard digest.crc32 == found.crc32, !digest.isDamaged else { return false }
        try await writeSidecar()
        digests.record(digest, of: index)
        return true
    }

    /// Downloads the photo.
    private func write() async throws(RestoreFailure) -> RestoreOutcome {
        let contents = ExportContents(user: restore.user, fillsArchived: false) { restore.store }
        var (hasher, offset, buffer) = (PhotoHasher(), Int64(0), ByteBuffer())
        let isStored: Bool
        do {
            isStored = try await contents.read(item, 0..<item.size) { bytes in
                buffer.writeImmutableBuffer(bytes)
                guard buffer.readableBytes >= RestoreStep.pieceLength else { return }
                try await append(buffer, &offset, &hasher)
                buffer.clear()
            }
            try await append(buffer, &offset, &hasher)
        } catch let error as RestoreFailure {
            throw error
        } catch let error as ObjectStoreError {
            throw RestoreFailure(reading: error)
        } catch {
            throw .store(.unavailable("\(error)"))
        }
        let digest = hasher.digest(expecting: item.entry.md5)
        try await writeSidecar()
        let (header, start) = (item.photoEntry.header(crc32: digest.crc32), headerOffset)
        try await files { file throws(FileError) in try file.write(header, at: start) }
        digests.record(digest, of: index)
        return digest.isDamaged ? .failed(isStored ? .contentMismatch : .notStored) : .restored
    }

    private func append(
        _ bytes: ByteBuffer, _ offset: inout Int64, _ hasher: inout PhotoHasher
    ) async throws(RestoreFailure) {
        let position = contentOffset + offset
        hasher.update(bytes)
        try await files { file throws(FileError) in try file.write(bytes, at: position) }
        offset += Int64(bytes.readableBytes)
        report(.received(item.entry.path, bytes: offset, of: item.size))
    }

    private func writeSidecar() async throws(RestoreFailure) {
        guard let sidecar = item.sidecar, let entry = item.sidecarEntry else { return }
        let start = contentOffset + item.size
        var bytes = entry.header(crc32: sidecar.crc32)
        bytes.writeImmutableBuffer(sidecar.bytes)
        let written = bytes
        try await files { file throws(FileError) in try file.write(written, at: start) }
    }

    private func files<Value: Sendable>(
        _ act: @escaping @Sendable (PartialFile) throws(FileError) -> Value
    ) async throws(RestoreFailure) -> Value {
        let file = target.file
        do { return try await FileWork.run { () throws(FileError) in try act(file) } } catch { throw .file(error) }
    }
}
