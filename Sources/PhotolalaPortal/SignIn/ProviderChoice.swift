import Flows
import PhotolalaAPI

/// A provider as a page offers it.
struct ProviderChoice {
    let name: ProviderName
    let title: String
    /// It was used last on this browser.
    let isLast: Bool

    /// In the order in which pages show them: the one used last, the one of the visitor's system, then as they are set up.
    static func all(_ services: Services, for visit: Visit) -> [ProviderChoice] {
        let last = visit.cookies[.provider].flatMap { ProviderName($0) }
        let own: ProviderName? = visit.isApple ? .apple : visit.isAndroid ? .google : nil
        let rank = { (name: ProviderName) in name == last ? 0 : name == own ? 1 : 2 }
        return services.authorizations.enumerated()
            .sorted { (rank($0.element.provider), $0.offset) < (rank($1.element.provider), $1.offset) }
            .map { _, offered in
                ProviderChoice(
                    name: offered.provider, title: offered.displayName, isLast: offered.provider == last)
            }
    }
}
