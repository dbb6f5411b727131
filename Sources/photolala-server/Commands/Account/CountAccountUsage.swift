import ArgumentParser
import Foundation
import PhotolalaAPI
import ServiceWiring
import Transport
import UseCases

/// Counts what an account stores.
struct CountAccountUsage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count-usage", abstract: "Count what an account stores now, and record it.")

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The account id, as shown by `photolala whoami`.")
    var user: String

    func validate() throws {
        guard UserID(user) != nil else { throw ValidationError("invalid account id: \(user)") }
    }

    func run() async throws {
        try await ExitStatus.reporting {
            guard let user = UserID(user) else { return }
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.account")
            try await LiveStore.open(settings, for: .changes, logger: logger) { store in
                let (naming, keyRing) = try await LiveStore.watchManifest(store.objects, settings)
                let transport = AsyncHTTPTransport()
                let outcome: Result<String, any Error>
                do {
                    let services = try Live(settings).makeServices(store.service, keyRing, naming, [], transport)
                    let count = try await services.usage.countNow(user)
                    outcome = .success(
                        "account \(user) stores \(Counted.text(Int(count.bytes), "byte")) in "
                            + Counted.text(count.objects, "object"))
                } catch ServiceError.notFound {
                    outcome = .failure(CommandRefusal("account not found: \(user)"))
                } catch {
                    outcome = .failure(error)
                }
                try? await transport.shutdown()
                print(try outcome.get())
            }
        }
    }
}
