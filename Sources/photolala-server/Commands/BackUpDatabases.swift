import ArgumentParser
import DirectoryStorage
import Foundation
import ServiceWiring

/// Copies both databases of a data folder.
struct BackUpDatabases: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy both databases of a data folder to another folder, without photos.",
        discussion: """
            A server may run on the folder at the same time. Copy the files of the data folder afterwards, so that \
            every object of the databases has its file. An existing backup is not replaced.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The folder for the copies; created if missing.")
    var folder: String

    func run() async throws {
        try await ExitStatus.reporting {
            let settings = try options.read()
            guard settings.store.folder != nil else {
                throw StartProblem("backup requires a data folder; a bucket has no databases")
            }
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.backup")
            try await LiveStore.open(settings, for: .reading, logger: logger) { store in
                guard case .folder(let objects, _) = store else { return }
                _ = try await LiveStore.checkManifest(objects, settings)
                try await objects.backUpDatabases(to: folder)
                print("Copied both databases to \(folder)")
            }
        }
    }
}
