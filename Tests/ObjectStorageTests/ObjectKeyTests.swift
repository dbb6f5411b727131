import ObjectStorage
import Testing

@Suite("Object keys")
struct ObjectKeyTests {
    @Test(
        "a key may contain any name in its segments",
        arguments: [
            "a", "a/b", "photos/x/0.dat", ".x", "...", "a b", "é", "日本/語", "%2e%2e", "~", "a:b*?\"<>|\\",
            String(repeating: "x", count: 255), Array(repeating: "y", count: 512).joined(separator: "/"),
        ])
    func legal(_ text: String) { #expect(ObjectKey(text)?.description == text) }

    @Test(
        "a key that a store could confuse with another is rejected",
        arguments: [
            "", "/", "/a", "a/", "a//b", ".", "..", "a/./b", "a/../b", "../a", "a/..", "a\0b", "a\nb", "a\u{7f}",
            String(repeating: "x", count: 256), String(repeating: "é", count: 128),
            Array(repeating: "y", count: 513).joined(separator: "/"),
        ])
    func illegal(_ text: String) { #expect(ObjectKey(text) == nil) }

    @Test("keys are compared by their bytes")
    func comparison() {
        let (composed, decomposed) = (ObjectKey(known: "é"), ObjectKey(known: "e\u{301}"))
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
        let sorted = ["o/a-b", "o/a/b", "o/a", "o/Z", "o/é", "o/z"].map(ObjectKey.init(known:)).sorted()
        #expect(sorted.map(\.description) == ["o/Z", "o/a", "o/a-b", "o/a/b", "o/z", "o/é"])
    }
}
