import Secrets
import Testing

@Suite struct ConstantTimeTests {
    @Test(
        "equal bytes compare as equal", arguments: [("", ""), ("a", "a"), ("ab", "ab")])
    func equal(left: String, right: String) {
        #expect(ConstantTime.isEqual(left, right))
    }

    @Test("a changed byte or length compares as different", arguments: ["", "a", "abd", "bbc", "abcd", "adc"])
    func different(text: String) {
        #expect(!ConstantTime.isEqual("abc", text))
        #expect(!ConstantTime.isEqual(text, "abc"))
    }
}
