import ArgumentParser
import DirectoryStorage
import Foundation

/// Copies both databases of a data folder.
struct BackUpDatabases: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy both databases of a data folder into another folder; no photos.",
        discussion: """
            A server may run on the folder at the same time. Copy the files of the data folder afterwards: every object of the
            databases then finds its file. A backup that is there is never replaced.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The folder for the copies; made when it is missing.")
    var folder: String

    func run() async throws {
        try await ExitStatus.reporting {
            let settings = try options.read()
            guard settings.store.folder != nil else {
                throw StartProblem("backup copies the databases of a data folder; a bucket has none")
            }
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.backup")
            try await LiveStore.open(settings, for: .reading, logger: logger) { store in
                guard case .folder(let objects, _) = store else { return }
                _ = try await LiveStore.checkManifest(objects, settings)
                try await objects.backUpDatabases(to: folder)
                print("Both databases are in \(folder)")
            }
        }
    }
}
