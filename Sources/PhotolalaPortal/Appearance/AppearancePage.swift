import HTTPTypes
import Hummingbird
import Localization
import UseCases

/// The form that sets the theme and the language of the pages in this browser. It needs no session and no form token:
/// all that another site could do is refused, and it would change no more than colors and texts.
struct AppearancePage: Sendable {
    static let path = "/appearance"
    /// The lifetime of a choice, in seconds.
    private static let lifetime = 400 * 86_400
    /// The value of the theme for the system's own.
    static let system = "system"

    let context: PageContext

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.post(RouterPath(Self.path)) { request, _ in
            let form = try await Form(request)
            let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
            guard site == nil || site == "same-origin" else { throw ServiceError.formOutdated }
            var response = context.redirect(to: Self.returnPath(form["to"]))
            switch form["theme"] {
            case Self.system?: response.remove(.theme)
            case let theme?:
                guard let theme = Theme(rawValue: theme) else { throw ServiceError.invalidRequest("unknown theme") }
                response.set(.theme, to: theme.rawValue, for: Self.lifetime)
            case nil: break
            }
            if let language = form["language"] {
                guard TextCatalog.languages.contains(language) else {
                    throw ServiceError.invalidRequest("unknown language")
                }
                response.set(.language, to: language, for: Self.lifetime)
            }
            return response
        }
    }

    /// Returns a path of this server; `/` for anything that a browser could read as another host.
    static func returnPath(_ text: String?) -> String {
        guard let text, text.utf8.count <= 2048, text.hasPrefix("/"),
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !text.contains("\\"), !text.hasPrefix("//")
        else { return "/" }
        return text
    }

    /// Returns the template content of the form; `nil` on a page that answers a form, which the choice would lose with what
    /// was typed.
    static func content(_ browserRequest: BrowserRequest) -> [String: any Sendable]? {
        guard !browserRequest.isAnswer else { return nil }
        let texts = browserRequest.texts
        let themes = [(system, texts(.themeSystem))] + Theme.allCases.map { ($0.rawValue, texts($0.text)) }
        let current = browserRequest.theme?.rawValue ?? system
        return [
            "here": lasting(browserRequest.address),
            "themes": themes.map { value, title in
                ["value": value, "title": title, "pressed": value == current ? "true" : "false"]
            },
            "languages": TextCatalog.languages.map { language in
                [
                    "tag": language, "title": languageNames[language] ?? language,
                    "pressed": language == texts.language ? "true" : "false",
                ]
            },
        ]
    }

    /// The parameters that report an act once.
    private static let outcomes: Set<Substring> = [
        "done", "undone", "gone", "favorited", "unfavorited", "archived", "unarchived", "added", "removed", "target",
        "deleted", "purged",
        "failed", "kept", "unfinished", "asked", "wait",
        "way", "readable", "unmet", "denied", "saved", "archive", "created", "cover",
    ]

    /// Returns an address without the outcome of an act.
    private static func lasting(_ address: String) -> String {
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return address }
        let kept = parts[1].split(separator: "&").filter { !outcomes.contains($0.prefix { $0 != "=" }) }
        return kept.isEmpty ? String(parts[0]) : "\(parts[0])?\(kept.joined(separator: "&"))"
    }

    /// The languages in themselves.
    static let languageNames = ["en": "English", "de": "Deutsch", "ja": "日本語", "ko": "한국어", "es": "Español"]
}
