import Accounts
import ArgumentParser
import ObjectStorage
import PhotolalaAPI
import ServiceWiring

/// Assigns a provider name to other issuers. Users of the old issuers are then identified by the new issuers' subjects,
/// so the command requires the complete list of issuers.
struct AcceptIssuer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-issuer",
        abstract: "Record other issuers for a provider. Use it only if the provider has changed its issuer."
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The provider name.")
    var provider: String

    @Argument(help: "All issuers of the provider, as in its tokens.")
    var issuers: [String]

    func validate() throws {
        guard ProviderName(provider) != nil else { throw ValidationError("invalid provider name: \(provider)") }
        for issuer in issuers
        where issuer.isEmpty || !issuer.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x2c }) {
            throw ValidationError("invalid issuer: \"\(issuer)\"")
        }
    }

    func run() async throws {
        try await ExitStatus.reporting {
            guard let name = ProviderName(provider) else { return }
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.accept-issuer")
            try await LiveStore.use(settings, logger: logger) { store in
                _ = try await LiveStore.checkManifest(store, settings)
                print(try await Self.replace(issuers, name, ProviderRegistry(store: store, retry: LiveStore.retry)))
            }
        }
    }

    /// - Returns: A description of the change.
    private static func replace(
        _ issuers: [String], _ name: ProviderName, _ registry: ProviderRegistry
    ) async throws -> String {
        let known: [String]?
        do {
            known = try await registry.replace(with: issuers, for: name)
        } catch .preconditionFailed {
            throw StartProblem("the issuers of \(name) changed concurrently. Nothing was changed")
        }
        guard let known else {
            throw StartProblem(
                "no recorded issuers for \(name) in this store. The first start with this provider records them")
        }
        let now = issuers.joined(separator: ", ")
        if known == issuers { return "already recorded: issuers of \(name) \(now)" }
        return "recorded: issuers of \(name) \(now); before: \(known.joined(separator: ", "))"
    }
}
