import HTTPTypes
import Hummingbird
import Localization
import UseCases

/// The form that sets the theme and the language of the pages in this browser. It needs no session and no form token: the
/// forms of other sites are refused, and they would change no more than colors and texts.
struct AppearancePage: Sendable {
    static let path = "/appearance"

    let context: PageContext

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.post(RouterPath(Self.path)) { request, _ in
            let form = try await Form(request)
            var response = context.redirect(to: Self.returnPath(form["to"]))
            if let choice = try AppearanceChoice(form) { response.set(choice) }
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
    /// - Parameter form: The `id` of the page's form that also accepts the choice, and then shows the page again with what
    ///   was typed; empty if there is none.
    static func content(_ browserRequest: BrowserRequest, keeping form: String) -> [String: any Sendable]? {
        guard !browserRequest.isAnswer || !form.isEmpty else { return nil }
        let (texts, system) = (browserRequest.texts, AppearanceChoice.system)
        let themes = [(system, texts(.themeSystem))] + Theme.allCases.map { ($0.rawValue, texts($0.text)) }
        let current = browserRequest.theme?.rawValue ?? system
        var content: [String: any Sendable] = [
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
        if !form.isEmpty { content["owner"] = form }
        return content
    }

    /// Returns an address without the outcome of an act.
    private static func lasting(_ address: String) -> String {
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return address }
        let kept = ReportedOutcome.lasting(String(parts[1]))
        return kept.isEmpty ? String(parts[0]) : "\(parts[0])?\(kept)"
    }

    /// The languages in themselves.
    static let languageNames = ["en": "English", "de": "Deutsch", "ja": "日本語", "ko": "한국어", "es": "Español"]
}
