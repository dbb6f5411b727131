import Hummingbird
import Localization
import UseCases

/// A theme, a language or both that a form sets for a browser.
struct AppearanceChoice {
    /// The value of the theme for the system's own.
    static let system = "system"
    /// The lifetime of a choice, in seconds.
    fileprivate static let lifetime = 400 * 86_400

    /// The theme, `nil` for the system's; the outer `nil` if the form sets none.
    let theme: Theme??
    let language: String?

    /// Returns `nil` for a form that sets neither.
    /// - Throws: `invalidRequest` for a value that does not exist.
    init?(_ form: Form) throws(ServiceError) {
        switch form["theme"] {
        case nil: theme = nil
        case Self.system?: theme = .some(nil)
        case let name?:
            guard let theme = Theme(rawValue: name) else { throw .invalidRequest("unknown theme") }
            self.theme = theme
        }
        language = form["language"]
        if let language {
            guard TextCatalog.languages.contains(language) else { throw .invalidRequest("unknown language") }
        } else if theme == nil {
            return nil
        }
    }
}

extension Response {
    /// Stores a choice in the browser.
    mutating func set(_ choice: AppearanceChoice) {
        switch choice.theme {
        case nil: break
        case .some(nil): remove(.theme)
        case .some(let theme?): set(.theme, to: theme.rawValue, for: AppearanceChoice.lifetime)
        }
        if let language = choice.language { set(.language, to: language, for: AppearanceChoice.lifetime) }
    }
}

extension BrowserRequest {
    /// Applies a choice to the page that answers it.
    mutating func apply(_ choice: AppearanceChoice, catalog: TextCatalog) {
        if let theme = choice.theme { self.theme = theme }
        if let language = choice.language { texts = catalog.strings(for: nil, chosen: language) }
    }
}
