import Foundation
import Logging
import ObjectStorage
import ServiceWiring

extension LiveStore {
    /// Opens the store for the duration of the work, and always closes it.
    static func use(
        _ settings: Settings, for purpose: StorePurpose = .changes, logger: Logger,
        _ work: (any ObjectStore) async throws -> Void
    ) async throws {
        try await open(settings, for: purpose, logger: logger) { try await work($0.objects) }
    }

    /// Opens the store for work that depends on its kind.
    static func open(
        _ settings: Settings, for purpose: StorePurpose = .changes, logger: Logger,
        _ work: (OpenStore) async throws -> Void
    ) async throws {
        do {
            switch settings.store {
            case .folder(let folder): try await LiveFolder.use(folder, for: purpose, logger: logger, work)
            case .bucket(let bucket):
                try await LiveBucket.use(
                    bucket, over: LiveBucket.makeTransport(), passingTraces: settings.traces != nil, logger: logger
                ) { try await work(.bucket($0)) }
            }
        } catch let refusal as CommandRefusal {
            throw refusal
        } catch {
            throw StartProblem(ofCommand: error, settings)
        }
    }

    /// Fails if the folder has no store, for commands that must not create one at a misspelt path.
    static func requireStore(_ settings: Settings) throws {
        guard let folder = settings.store.folder else { return }
        var status = stat()
        guard stat("\(folder.data)/photolala.sqlite", &status) != 0 else { return }
        throw missingStore(folder.data, errno)
    }

    /// - Parameter code: The error of the system call that looked for the store.
    static func missingStore(_ data: String, _ code: CInt) -> StartProblem {
        switch code {
        case ENOENT, ENOTDIR: StartProblem("no store found in \(data)")
        case EACCES: StartProblem("cannot read \(data): permission denied. Run this command as the server's user")
        default: StartProblem("cannot read \(data): \(String(cString: strerror(code)))")
        }
    }
}
