/// Detects program arguments that are not valid UTF-8. `CommandLine.arguments` repairs them silently, so a program
/// would act on a different name than the one that was typed.
package enum ArgumentEncoding {
    /// Returns a readable description of the first argument that is not valid UTF-8, or `nil` if all are.
    /// - Parameter arguments: The bytes of each argument, the program's name first.
    package static func problem(in arguments: [[UInt8]]) -> String? {
        for (index, argument) in arguments.enumerated().dropFirst()
        where String(validating: argument, as: UTF8.self) == nil {
            return "Argument \(index) is not valid UTF-8: \(escaped(argument))."
        }
        return nil
    }

    /// Returns the bytes of the current process's arguments, the program's name first.
    package static func argumentsOfThisProcess() -> [[UInt8]] {
        (0..<Int(CommandLine.argc)).map { index in
            guard let text = CommandLine.unsafeArgv[index] else { return [] }
            var bytes: [UInt8] = []
            var next = text
            while next.pointee != 0 {
                bytes.append(UInt8(bitPattern: next.pointee))
                next += 1
            }
            return bytes
        }
    }

    /// Returns printable ASCII unchanged and every other byte as `\xE9`.
    private static func escaped(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            if (0x20...0x7e).contains(byte) { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "\\x\(digits.count == 1 ? "0" : "")\(digits)"
        }.joined()
    }
}
