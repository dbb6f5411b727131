import ArgumentParser
import Foundation
import ObjectStorage
import PhotolalaAPI
import ServiceWiring

/// Deletes the signing keys for access tokens, after a leak of the master key that sealed them.
struct ForgetSigningKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget-signing-keys",
        abstract: "Delete the access token signing keys. The next start creates new ones.",
        discussion: "Stop all servers first. All sessions end, and all users must sign in again."
    )

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Delete the keys; default: dry run.")
    var apply = false

    var purpose: StorePurpose { apply ? .changes : .reading }

    func run() async throws {
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.keys")
            try await LiveStore.use(settings, for: purpose, logger: logger) { store in
                _ = try await LiveStore.checkManifest(store, settings)
                let key = ObjectKey(known: StorageLayout.signingKeys)
                guard try await store.head(key) != nil else { return print("No signing keys found.") }
                guard apply else { return print("Nothing was changed. --apply deletes the signing keys.") }
                try await store.delete(key, if: .always)
                print("Deleted the signing keys.")
            }
        }
    }
}
