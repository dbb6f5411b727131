import ArgumentParser

/// Validates text options.
enum TextChecks {
    /// Rejects empty text, for example from an unset variable in a script.
    static func check(_ text: String?, of option: String, expects kind: String) throws {
        if text?.isEmpty == true { throw ValidationError("\(option): empty value, expected \(kind).") }
    }

    /// Rejects text that the server does not accept: only whitespace, control characters or more than `limit`
    /// characters.
    static func check(_ text: String?, of option: String, limit: Int) throws {
        guard let text else { return }
        let hasControls = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard text.contains(where: { !$0.isWhitespace }), !hasControls, text.unicodeScalars.count <= limit else {
            throw ValidationError("\(option) must have 1 to \(limit) characters and no control characters.")
        }
    }
}
