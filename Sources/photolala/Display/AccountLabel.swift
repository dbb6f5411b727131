import PhotolalaAPI

/// Names an account in a question.
enum AccountLabel {
    /// Returns the display name and the e-mail address, as far as they are known; without both, the ID.
    static func text(_ user: User) -> String {
        let links = user.linkedProviders
        let email = (links.first(where: \.isPrimary) ?? links.first)?.email
        let known = [user.displayName.map { "“\($0)”" }, email].compactMap { $0 }
        let label = known.isEmpty ? "account \(user.serviceUserID)" : known.joined(separator: ", ")
        return Terminal.sanitized(label)
    }
}
