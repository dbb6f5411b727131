import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// The restore of one file.
struct RestoreStep: Sendable {
    let entry: CatalogEntry
    let folder: FolderHandle
    let restore: Restore
    let refusal: ArchiveRefusal
    let report: @Sendable (RestoreEvent) -> Void

    /// Bytes collected before they are written and hashed on the file system threads.
    static let pieceLength = 1 << 20

    func run() async -> RestoreOutcome {
        var attempt = 1
        var incoming: IncomingFile?
        var furthest = Int64(0)
        while true {
            do throws(RestoreFailure) {
                return restore.settings.isDryRun ? try await predictOutcome() : try await restoreOnce(&incoming)
            } catch {
                // Interruptions of a large file do not count as long as each attempt makes progress.
                let length = incoming?.usableLength ?? 0
                if length - furthest >= restore.settings.resumableBytes { (attempt, furthest) = (1, length) }
                guard isTransient(error), !Task.isCancelled, attempt < restore.settings.attempts else {
                    incoming?.part.preserve()
                    return .failed(await restore.requestRetrieval(of: entry, after: error, refusal))
                }
                await restore.pause.wait(attempt: attempt)
                attempt += 1
            }
        }
    }

    /// Returns whether a retry may succeed: after a lost connection, or if a name was taken concurrently.
    private func isTransient(_ failure: RestoreFailure) -> Bool {
        switch failure {
        case .store(.unavailable), .store(.outcomeUnknown), .store(.conflict), .file(.exists), .file(.inUse),
            .file(.missing):
            true
        default: false
        }
    }

    /// Returns the expected outcome for the file.
    private func predictOutcome() async throws(RestoreFailure) -> RestoreOutcome {
        let (entry, root) = (entry, folder)
        let target = try await files { () throws(FileError) in
            do throws(FileError) {
                return try RestoreTarget.find(for: entry, in: try root.descend(entry.path.folders, makes: false))
            } catch {
                guard error == .missing else { throw error }
                return .free(entry.path.name)
            }
        }
        guard case .free(let name) = target else { return .alreadyThere }
        return name == entry.path.name ? .restored : .restoredBeside(name)
    }

    /// - Parameter resumable: The state of an earlier attempt; after a failure, the state for the next one.
    private func restoreOnce(_ resumable: inout IncomingFile?) async throws(RestoreFailure) -> RestoreOutcome {
        let (entry, root, earlier) = (entry, folder, resumable?.part)
        let (directory, target) = try await files { () throws(FileError) in
            let directory = try root.descend(entry.path.folders)
            let target = try RestoreTarget.find(for: entry, in: directory)
            // A crash right after the file got its final name leaves the temporary one.
            if target == .same { directory.remove(RestoreTarget.partialName(for: entry)) }
            return (directory, target)
        }
        guard case .free(let name) = target else { return .alreadyThere }
        let part = try await files { () throws(FileError) in
            if let earlier { return earlier }
            do throws(FileError) {
                return try PartialFile(in: directory, name: RestoreTarget.partialName(for: entry))
            } catch { throw error == .exists ? .inUse : error }
        }
        var incoming = resumable ?? IncomingFile(part: part)
        resumable = nil
        do throws(RestoreFailure) {
            try await download(&incoming)
            try await files { () throws(FileError) in try part.publish(as: name, modified: entry.modified) }
        } catch {
            if error.allowsResume, incoming.usableLength >= restore.settings.resumableBytes {
                resumable = incoming
            } else {
                part.remove()
            }
            throw error
        }
        return name == entry.path.name ? .restored : .restoredBeside(name)
    }

    func files<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(RestoreFailure) -> Value {
        do { return try await FileWork.run(work) } catch { throw .file(error) }
    }
}

extension RestoreFailure {
    /// Whether the bytes downloaded so far can be used by another attempt.
    fileprivate var allowsResume: Bool {
        switch self {
        case .store, .archived, .file(.cancelled): !isDamage
        case .file, .notStored, .contentMismatch: false
        }
    }
}
