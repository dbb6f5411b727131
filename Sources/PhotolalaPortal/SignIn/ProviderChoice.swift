import PhotolalaAPI
import UseCases

/// A provider as pages offer it.
struct ProviderChoice {
    let name: ProviderName
    let title: String
    /// Whether this browser used it last.
    let isLast: Bool

    /// Returns the template content of its button.
    func button(_ title: String, path: String, showsLast: Bool = false) -> [String: any Sendable] {
        [
            "name": name.description, "logo": ProviderLogo.html(of: name), "title": title, "path": path,
            "isLast": showsLast && isLast,
        ]
    }

    /// Returns the providers in display order: the one used last, the one of the visitor's operating system, then the
    /// configured order.
    static func all(_ services: ServiceGraph, for browserRequest: BrowserRequest) -> [ProviderChoice] {
        let last = browserRequest.cookies[.provider].flatMap { ProviderName($0) }
        let own: ProviderName? = browserRequest.isApple ? .apple : browserRequest.isAndroid ? .google : nil
        let rank = { (name: ProviderName) in name == last ? 0 : name == own ? 1 : 2 }
        return services.providerAuthorizations.all.enumerated()
            .sorted { (rank($0.element.provider), $0.offset) < (rank($1.element.provider), $1.offset) }
            .map { _, offered in
                ProviderChoice(
                    name: offered.provider, title: offered.displayName, isLast: offered.provider == last)
            }
    }
}
