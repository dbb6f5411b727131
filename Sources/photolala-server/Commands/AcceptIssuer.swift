import Accounts
import ArgumentParser
import DirectoryStorage
import Foundation
import PhotolalaAPI

/// Lets a provider's name stand for another issuer. Everyone who signed up with the old one is then found by the new
/// one's subjects, so it asks for the issuer in full.
struct AcceptIssuer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-issuer",
        abstract: "Record another issuer for a provider's name. Only when the provider itself has moved."
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The provider's name.")
    var provider: String

    @Argument(help: "The issuer, as in its tokens.")
    var issuer: String

    func run() async throws {
        try await ExitStatus.reporting {
            guard let name = ProviderName(provider) else {
                throw ValidationError("\(provider) is not a provider's name")
            }
            let settings = try await options.read()
            let store = try await LiveStore.open(settings, logger: settings.log.makeLogger("photolala.accept-issuer"))
            try await ProviderRegistry(store: store).replace(with: issuer, for: name)
            print("\(name) now stands for \(issuer)")
            try await store.close()
        }
    }
}
