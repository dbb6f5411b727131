import Foundation
import PhotolalaAPI

/// The account after a sign-in or sign-up.
struct SignedInResult: CommandResult {
    let user: User
    let server: String
    let device: DeviceDescription
    /// Whether this call created the account; omitted for a sign-in or sign-up in a browser.
    let isNewUser: Bool?
    /// The providers whose pending unlinking the sign-in cancelled; omitted if there are none.
    var keptProviders: [LinkedProvider]?

    var text: String {
        let heading = isNewUser == true ? "Account created. Signed in" : "Signed in"
        let providers = user.linkedProviders.map(\.provider.description).joined(separator: ", ")
        let deletion = user.deletion.map { [DeletionStrings.notice($0)] } ?? []
        let notices =
            (LinkedProviderLines.kept(keptProviders ?? []) + LinkedProviderLines.notices(user.linkedProviders)
            + deletion)
            .map { "\n\($0)" }.joined()
        return """
            \(heading) to \(server) on “\(Terminal.sanitized(device.name))”.
            Sign-in methods: \(providers)\(notices)
            Next:  photolala backup FOLDER   or   photolala restore --to FOLDER
            """
    }
}

/// The identities that open the account.
struct LinksResult: CommandResult {
    let linkedProviders: [LinkedProvider]
    /// A sentence that describes the action.
    let summary: String

    private enum CodingKeys: CodingKey { case linkedProviders }

    var text: String {
        ([summary] + LinkedProviderLines.lines(linkedProviders) + LinkedProviderLines.notices(linkedProviders))
            .joined(separator: "\n")
    }
}

/// A result that consists of one sentence.
struct DoneResult: CommandResult {
    /// Always `true`, because failures are errors.
    let done = true
    let summary: String

    private enum CodingKeys: CodingKey { case done }

    var text: String { summary }
}
