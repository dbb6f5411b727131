import Foundation
import PhotolalaAPI

/// The account after a sign-in or sign-up.
struct SignedInResult: CommandResult {
    let user: User
    let server: String
    let device: DeviceDescription
    /// Whether this call created the account; left out where that was done in a browser, or not.
    let isNewUser: Bool?
    /// The providers of which the sign-in undid the pending unlinking; left out where there are none.
    var keptProviders: [LinkedProvider]?

    var text: String {
        let act = isNewUser == true ? "Your account is created, and you are signed in" : "You are signed in"
        let providers = user.linkedProviders.map(\.provider.description).joined(separator: ", ")
        let notices =
            (LinkedProviderLines.kept(keptProviders ?? []) + LinkedProviderLines.notices(user.linkedProviders))
            .map { "\n\($0)" }.joined()
        return """
            \(act) at \(server) on “\(Terminal.harmless(device.name))”.
            It opens with: \(providers)\(notices)
            Next:  photolala backup FOLDER   or   photolala restore --to FOLDER
            """
    }
}

/// The identities that open the account.
struct LinksResult: CommandResult {
    let linkedProviders: [LinkedProvider]
    /// What was done, as a sentence.
    let summary: String

    private enum CodingKeys: CodingKey { case linkedProviders }

    var text: String {
        ([summary] + LinkedProviderLines.lines(linkedProviders) + LinkedProviderLines.notices(linkedProviders))
            .joined(separator: "\n")
    }
}

/// A sentence, and nothing else to tell.
struct DoneResult: CommandResult {
    /// Always `true`: failures are errors.
    let done = true
    let summary: String

    private enum CodingKeys: CodingKey { case done }

    var text: String { summary }
}
