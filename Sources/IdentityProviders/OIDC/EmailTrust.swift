/// The e-mail addresses that a provider is trusted to have verified. Such an address creates and finds hints about
/// accounts; it never opens an account.
package enum EmailTrust: Sendable, Equatable {
    /// Every address: the provider itself mails a code or link to an address before it marks it verified.
    case all
    /// Only addresses at these domains, in lower case.
    case domains([String])

    func covers(_ domain: String) -> Bool {
        switch self {
        case .all: true
        case .domains(let domains): domains.contains(domain)
        }
    }
}
