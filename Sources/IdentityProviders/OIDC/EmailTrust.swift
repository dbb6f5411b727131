/// Which addresses a provider is trusted to have verified. Such an address leaves and finds a hint about an account; it
/// never opens one.
package enum EmailTrust: Sendable, Equatable {
    /// Every address: the provider itself mails a code or link to an address before it calls it verified.
    case all
    /// Addresses at these domains alone, in lower case.
    case domains([String])

    func covers(_ domain: String) -> Bool {
        switch self {
        case .all: true
        case .domains(let domains): domains.contains(domain)
        }
    }
}
