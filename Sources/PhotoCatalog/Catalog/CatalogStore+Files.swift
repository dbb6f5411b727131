import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

extension CatalogStore {
    func key(_ digest: ContentDigest) -> ObjectKey {
        ObjectKey(known: StorageLayout.catalogSnapshot(user, md5: digest.description))
    }

    /// Reads a snapshot without its parts. A snapshot that is too large to be read for a commit is returned as the part
    /// of an empty one; only its beginning is read, unless the file has timestamps.
    func readSnapshot(_ digest: ContentDigest) async throws(CatalogError) -> CatalogFile? {
        if let cached = await cache?.read(digest) {
            return snapshotFile(digest, try CatalogCSV.decode(cached), size: cached.readableBytes)
        }
        guard let reading = try await read(digest, .closed(first: 0, last: Int64(sizes.snapshot) - 1)) else {
            return nil
        }
        let size = reading.info.size
        guard size <= sizes.readable else { throw .tooLarge }
        let bytes = try await collect(reading.body, reading.offsets.count)
        guard size <= Int64(sizes.snapshot) else {
            guard try CatalogCSV.hasTimestamps(bytes) else {
                var file = CatalogFile()
                file.parts = [CatalogPart(digest: digest, size: size, counter: 0)]
                return file
            }
            guard let file = try await readFile(digest) else { return nil }
            return snapshotFile(digest, file, size: Int(size))
        }
        guard ContentDigest(of: bytes) == digest else { throw .snapshotDamaged(digest) }
        let file = try CatalogCSV.decode(bytes)
        await cache?.write(digest, bytes)
        return file
    }

    private func snapshotFile(_ digest: ContentDigest, _ file: CatalogFile, size: Int) -> CatalogFile {
        guard size > sizes.snapshot else { return file }
        var top = CatalogFile()
        top.parts = [CatalogPart(digest: digest, size: Int64(size), counter: file.highestCounter)]
        (top.generation, top.purge) = (file.generation, file.purge)
        return top
    }

    /// Reads a whole file; returns `nil` if it does not exist.
    /// - Parameter expectedSize: The size stated by the file that references it. A file of another size is damaged and is not
    ///   read.
    func readFile(_ digest: ContentDigest, size expectedSize: Int64? = nil) async throws(CatalogError) -> CatalogFile? {
        if let cached = await cache?.read(digest) {
            guard expectedSize.map({ $0 == Int64(cached.readableBytes) }) ?? true else {
                throw .snapshotDamaged(digest)
            }
            return try await decode(cached)
        }
        guard let reading = try await read(digest, nil) else { return nil }
        guard expectedSize.map({ $0 == reading.info.size }) ?? true else { throw .snapshotDamaged(digest) }
        guard reading.info.size <= sizes.readable else { throw .tooLarge }
        let bytes = try await collect(reading.body, Int(reading.info.size))
        // The digest is checked first: an unreadable row may be a consequence of damage.
        guard ContentDigest(of: bytes) == digest else { throw .snapshotDamaged(digest) }
        let file = try await decode(bytes)
        await cache?.write(digest, bytes)
        return file
    }

    private func decode(_ bytes: ByteBuffer) async throws(CatalogError) -> CatalogFile {
        try await CatalogCSV.decode(bytes, parallel: ProcessInfo.processInfo.activeProcessorCount)
    }

    private func read(_ digest: ContentDigest, _ range: ByteRange?) async throws(CatalogError) -> StreamedObject? {
        do {
            return try await store.read(key(digest), range: range)
        } catch {
            switch error {
            case .corrupted, .rangeNotSatisfiable: throw .snapshotDamaged(digest)
            default: throw .store(error)
            }
        }
    }

    private func collect(_ body: ObjectBody, _ size: Int) async throws(CatalogError) -> ByteBuffer {
        var bytes = ByteBufferAllocator().buffer(capacity: size)
        do {
            for try await var piece in body where bytes.readableBytes <= size { bytes.writeBuffer(&piece) }
        } catch let error as ObjectStoreError {
            throw .store(error)
        } catch {
            throw .store(.unavailable("\(error)"))
        }
        return bytes
    }

    /// Writes a file under the MD5 of its bytes; returns the time of the write by the store's clock.
    func write(_ bytes: ByteBuffer, as digest: ContentDigest) async throws(ObjectStoreError) -> Date {
        let attributes = ["content-type": "text/csv; charset=utf-8", "content-md5": digest.base64]
        return try await store.write(key(digest), ObjectBody(bytes), attributes: attributes, if: .always).lastModified
    }
}

extension CatalogStore {
    /// Returns whether a file has the columns that were added later, from its first 4,096 bytes; `nil` if it does not
    /// exist.
    func hasTimestamps(_ digest: ContentDigest) async throws(CatalogError) -> Bool? {
        guard let reading = try await read(digest, .closed(first: 0, last: 4095)) else { return nil }
        return try CatalogCSV.hasTimestamps(try await collect(reading.body, reading.offsets.count))
    }
}

extension CatalogCSV {
    /// Returns whether the beginning of a file has the columns that were added later.
    static func hasTimestamps(_ beginning: ByteBuffer) throws(CatalogError) -> Bool {
        let result = beginning.withUnsafeReadableBytes { bytes in
            Result { () throws(CatalogError) in
                var rows = CSVRows(bytes)
                guard try rows.next() else { throw CatalogError.missingColumn(columns[0]) }
                return try CSVTable(header: rows, columns: columns, optional: allOptionalColumns).optionalGroups > 0
            }
        }
        return try result.get()
    }
}
