import PhotolalaAPI
import Testing

@Suite struct ArgumentEncodingTests {
    @Test func `valid UTF-8 arguments are accepted`() {
        let arguments = ["photolala", "backup", "café", "日本", ""].map { Array($0.utf8) }
        #expect(ArgumentEncoding.problem(in: arguments) == nil)
        #expect(ArgumentEncoding.problem(in: []) == nil)
    }

    @Test func `an argument that is not UTF-8 is reported with its position and bytes`() {
        let arguments = [Array("photolala".utf8), Array("backup".utf8), Array("caf".utf8) + [0xE9, 0x09]]
        #expect(
            ArgumentEncoding.problem(in: arguments)
                == "Argument 2 is not valid UTF-8: caf\\xE9\\x09.")
    }

    @Test func `the path of the program is not checked`() {
        #expect(ArgumentEncoding.problem(in: [[0xFF], Array("list".utf8)]) == nil)
    }

    @Test(arguments: [[0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]])
    func `truncated, surrogate, overlong and out-of-range sequences are rejected`(_ bytes: [UInt8]) {
        #expect(ArgumentEncoding.problem(in: [[], bytes]) != nil)
    }
}
