/// The parts of an e-mail address between which a line may break: before the `@` and each period.
enum AddressParts {
    /// Returns the value for a template, which writes `<wbr>` after each part.
    static func content(of address: String) -> [String: [String]] {
        var parts = [""]
        for character in address {
            if character == "@" || character == ".", parts.last != "" { parts.append("") }
            parts[parts.count - 1].append(character)
        }
        return ["parts": parts]
    }
}
