import Crypto
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// One file of a restore.
struct RestoreStep: Sendable {
    let entry: CatalogEntry
    let folder: FolderHandle
    let restore: Restore
    let report: @Sendable (RestoreEvent) -> Void

    /// Bytes gathered before they are written and hashed away from the tasks' threads.
    private static let pieceLength = 1 << 20

    func run() async -> RestoreOutcome {
        var failure = RestoreFailure.file(.exists)
        for attempt in 1...max(1, restore.settings.attempts) {
            do throws(RestoreFailure) {
                return try await restoreOnce()
            } catch {
                failure = error
                guard isPassing(error), !Task.isCancelled else { break }
                await restore.pause.wait(attempt: attempt)
            }
        }
        return .failed(failure)
    }

    /// Whether trying again may help: a lost connection, or a name that somebody took in between.
    private func isPassing(_ failure: RestoreFailure) -> Bool {
        switch failure {
        case .store(.unavailable), .store(.outcomeUnknown), .store(.conflict), .file(.exists), .file(.missing): true
        default: false
        }
    }

    private func restoreOnce() async throws(RestoreFailure) -> RestoreOutcome {
        let (entry, root) = (entry, folder)
        let (place, target) = try await files { () throws(FileError) in
            let place = try root.descend(entry.path.folders)
            let target = try RestoreTarget.find(for: entry, in: place)
            // A crash right after the file got its name leaves the other one.
            if target == .same { place.remove(RestoreTarget.partialName(for: entry)) }
            return (place, target)
        }
        guard case .free(let name) = target else { return .alreadyThere }
        guard let reading = try await reading() else { throw .notStored }
        guard reading.info.size == entry.size else { throw .contentMismatch }
        let part = try await files { () throws(FileError) in
            try PartialFile(in: place, name: RestoreTarget.partialName(for: entry))
        }
        do throws(RestoreFailure) {
            guard try await receive(reading.body, into: part) == entry.md5 else { throw .contentMismatch }
            try await files { () throws(FileError) in try part.publish(as: name, modified: entry.modified) }
        } catch {
            part.remove()
            throw error
        }
        return name == entry.path.name ? .restored : .restoredBeside(name)
    }

    private func reading() async throws(RestoreFailure) -> ObjectReading? {
        let key = ObjectKey(known: StorageLayout.photo(restore.user, md5: entry.md5.description))
        do { return try await restore.store.read(key, range: nil) } catch { throw .store(error) }
    }

    /// Writes the bytes as they come and gives their digest. More than the entry's size is never written.
    private func receive(_ body: ObjectBody, into part: PartialFile) async throws(RestoreFailure) -> ContentDigest {
        var hasher = Insecure.MD5()
        var gathered = ByteBuffer()
        var received: Int64 = 0
        do {
            for try await var chunk in body {
                received += Int64(chunk.readableBytes)
                guard received <= entry.size else { throw RestoreFailure.contentMismatch }
                gathered.writeBuffer(&chunk)
                guard gathered.readableBytes >= Self.pieceLength else { continue }
                hasher = try await append(gathered, hasher, to: part)
                gathered.clear()
                report(.received(entry.path, bytes: received, of: entry.size))
            }
        } catch let error as RestoreFailure {
            throw error
        } catch let error as ObjectStoreError {
            throw .store(error)
        } catch {
            throw .store(.unavailable("\(error)"))
        }
        return ContentDigest(try await append(gathered, hasher, to: part).finalize())
    }

    private func append(
        _ bytes: ByteBuffer, _ hasher: Insecure.MD5, to part: PartialFile
    ) async throws(RestoreFailure) -> Insecure.MD5 {
        try await files { () throws(FileError) in
            var hasher = hasher
            hasher.update(bytes)
            try part.append(bytes)
            return hasher
        }
    }

    private func files<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(RestoreFailure) -> Value {
        do { return try await FileWork.run(work) } catch { throw .file(error) }
    }
}
