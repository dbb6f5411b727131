/// A JSON value in a settings file.
enum SettingsValue: Codable {
    case object([String: SettingsValue])
    case array([SettingsValue])
    case text(String)
    case flag(Bool)
    case number(String)
    case null

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Int.self) {
            self = .number(String(number))
        } else if let number = try? value.decode(Double.self) {
            self = .number(String(number))
        } else if let array = try? value.decode([SettingsValue].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: SettingsValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let members): try container.encode(members)
        case .array(let items): try container.encode(items)
        case .text(let text): try container.encode(text)
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(Double(number))
        case .null: try container.encodeNil()
        }
    }

    /// The value for a problem report. Texts are not shown because they may be secrets.
    var description: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .text: "a string"
        case .flag(let flag): "\(flag)"
        case .number(let number): number
        case .null: "null"
        }
    }
}
