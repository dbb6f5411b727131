import AccountMaintenance
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The search for an account's identifiers in bytes.
@Suite struct SearchTermsTests {
    private let user = UserID(uuid: UUID())

    private func kinds(_ bytes: Data, texts: [String] = []) -> [SearchTerms.Kind] {
        SearchTerms(AccountIdentifiers(user), texts: texts).kinds(in: bytes)
    }

    @Test("an account ID is found as text in both cases, without hyphens, as bytes, and in Base64 at each position")
    func spellings() {
        let compact = user.description.replacing("-", with: "")
        for text in [user.description, user.description.uppercased(), compact, compact.uppercased()] {
            #expect(kinds(Data("before \(text) after".utf8)) == [.account], "\(text)")
            for shift in ["", "1", "22"] {
                let encoded = Data("\(shift)\(text) and more".utf8).base64EncodedString()
                #expect(kinds(Data(encoded.utf8)) == [.account], "\(encoded)")
            }
        }
        let bytes = withUnsafeBytes(of: user.uuid.uuid) { Data($0) }
        for lead in 0..<5 { #expect(kinds(Data(count: lead) + bytes) == [.account]) }
        #expect(kinds(bytes.dropLast()) == [] && kinds(Data()) == [] && kinds(Data("abc".utf8)) == [])
        #expect(kinds(Data(user.description.utf8.dropLast())) == [])
    }

    @Test(
        "a text is found at the end of the bytes, as given and in lower case, and a text of three bytes is not searched"
    )
    func texts() {
        #expect(kinds(Data("says Name".utf8), texts: ["Name"]) == [.text])
        #expect(kinds(Data("says name".utf8), texts: ["Name"]) == [.text])
        #expect(kinds(Data("says Nam".utf8), texts: ["Name"]) == [])
        #expect(kinds(Data("bob".utf8), texts: ["bob"]) == [])
        #expect(kinds(Data("\(user) Name".utf8), texts: ["Name"]) == [.account, .text])
    }

    @Test("the search agrees with a plain search of random bytes")
    func random() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            let bytes = Data((0..<200).map { _ in UInt8.random(in: 97...98, using: &generator) })
            let text = String(
                decoding: (0..<6).map { _ in UInt8.random(in: 97...98, using: &generator) }, as: UTF8.self)
            let expected = bytes.range(of: Data(text.utf8)) != nil
            #expect((kinds(bytes, texts: [text]) == [.text]) == expected, "\(text)")
        }
    }
}
