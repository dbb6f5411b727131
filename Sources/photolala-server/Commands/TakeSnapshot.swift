import AccountMaintenance
import ArgumentParser
import Foundation
import ServiceWiring
import Synchronization

/// Writes all accounts and identities of a store into one file.
struct TakeSnapshot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Write all accounts and identity bindings of a store to one file, without photos.",
        discussion: "A server may run on the store at the same time. An existing file is not replaced."
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The file to create; - for standard output.")
    var file: String

    func run() async throws {
        let unreadable = Mutex(0)
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.snapshot")
            try await LiveStore.use(settings, for: .reading, logger: logger) { store in
                _ = try await LiveStore.checkManifest(store, settings)
                let keyRing = try LiveStore.makeKeyRing(settings)
                let output = file == "-" ? NewFile.standard : try NewFile(path: file)
                let snapshot = StoreSnapshot(store: store, keyRing: keyRing, now: { Date() }) { key in
                    SnapshotReport.printLine("skipped unreadable object: \(key)")
                }
                do {
                    let summary = try await snapshot.write { (bytes) throws(SnapshotError) in
                        do throws(FileProblem) { try output.write(bytes) } catch { throw .file(error.text) }
                    }
                    try output.finish()
                    SnapshotReport.printLine("wrote \(SnapshotReport.contents(of: summary)) to \(file)")
                    unreadable.withLock { $0 = summary.unreadable }
                } catch {
                    output.abandon()
                    throw error
                }
            }
        }
        if unreadable.withLock({ $0 }) > 0 { throw ExitCode.failure }
    }
}
