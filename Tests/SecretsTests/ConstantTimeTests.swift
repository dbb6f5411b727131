import Secrets
import Testing

@Suite struct ConstantTimeTests {
    @Test(
        "Bytes are equal only when all of them and their number are", arguments: [("", ""), ("a", "a"), ("ab", "ab")])
    func equal(left: String, right: String) {
        #expect(ConstantTime.isEqual(left.utf8, right.utf8))
    }

    @Test("A change anywhere is seen", arguments: ["", "a", "abd", "bbc", "abcd", "adc"])
    func different(text: String) {
        #expect(!ConstantTime.isEqual("abc".utf8, text.utf8))
        #expect(!ConstantTime.isEqual(text.utf8, "abc".utf8))
    }
}
