/// Text that fits into the columns of a terminal.
enum ColumnText {
    /// Returns the text with a file's path behind it, of which the beginning is cut if there is no room, without the last
    /// column, in which some terminals begin a new line.
    static func line(_ text: String, file: String?, columns: Int) -> String {
        let room = columns - 1
        guard width(text) < room else { return prefix(text, room) }
        guard let file else { return text }
        let left = room - width(text) - 2
        if width(file) <= left { return "\(text)  \(file)" }
        // Less than a short name is no help.
        guard left >= 12 else { return text }
        return "\(text)  …\(suffix(file, left - 1))"
    }

    /// The number of columns of a text.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    private static func prefix(_ text: String, _ columns: Int) -> String {
        var (taken, room) = ("", columns)
        for character in text {
            room -= width(character)
            if room < 0 { break }
            taken.append(character)
        }
        return taken
    }

    private static func suffix(_ text: String, _ columns: Int) -> String {
        String(prefix(String(text.reversed()), columns).reversed())
    }

    /// The width of a character, as of `wcwidth`: 2 for East Asian scripts and emoji.
    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60,
            0xffe0...0xffe6, 0x1f300...0x1faff, 0x20000...0x3fffd:
            return 2
        default: return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }
}
