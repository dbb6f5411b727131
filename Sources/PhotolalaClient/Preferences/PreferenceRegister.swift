import PhotoCatalog
import PhotolalaAPI

/// The last change of one preference.
struct PreferenceRegister: Equatable, Sendable {
    /// The value; `nil` if the preference was removed.
    var value: PreferenceValue?
    var changed: LamportTimestamp

}

extension PreferenceRegister: Codable {
    private enum CodingKeys: String, CodingKey { case value, changed }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        value = try members.decodeIfPresent(PreferenceValue.self, forKey: .value)
        changed = LamportTimestamp(try members.decode(String.self, forKey: .changed)) ?? .zero
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(value, forKey: .value)
        try members.encode(changed.text, forKey: .changed)
    }
}
