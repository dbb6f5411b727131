import ArgumentParser

/// Checks options that take a text.
enum Texts {
    /// Refuses an empty text: a variable that a script forgot to set.
    static func check(_ text: String?, of option: String, takes what: String) throws {
        if text?.isEmpty == true { throw ValidationError("\(option) is empty: it takes \(what).") }
    }

    /// Refuses what the server would not take: nothing to see, control characters or more than so many characters.
    static func check(_ text: String?, of option: String, limit: Int) throws {
        guard let text else { return }
        let hasControls = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard text.contains(where: { !$0.isWhitespace }), !hasControls, text.unicodeScalars.count <= limit else {
            throw ValidationError("\(option) takes 1 to \(limit) characters and no control characters.")
        }
    }
}
