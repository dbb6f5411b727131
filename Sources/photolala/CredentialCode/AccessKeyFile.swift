import Foundation

/// An access key as `aws iam create-access-key` prints it.
struct AccessKeyFile: Equatable {
    /// Why a file is not usable.
    struct Problem: Error, Equatable {
        let text: String
    }

    let accessKeyID: String
    let secretAccessKey: String

    /// The largest file, in bytes; AWS's output has about 250.
    static let limit = 16 << 10

    init(_ text: Data) throws(Problem) {
        struct Output: Decodable {
            struct Key: Decodable {
                let AccessKeyId: String
                let SecretAccessKey: String
            }
            let AccessKey: Key
        }
        guard let key = try? JSONDecoder().decode(Output.self, from: text).AccessKey else {
            throw Problem(text: "does not contain the output of `aws iam create-access-key`")
        }
        guard !key.AccessKeyId.hasPrefix("ASIA") else {
            throw Problem(text: "contains temporary credentials, which expire within hours")
        }
        guard (16...128).contains(key.AccessKeyId.utf8.count), key.AccessKeyId.allSatisfy(Self.isWordCharacter) else {
            throw Problem(text: "has a malformed access key id")
        }
        guard (16...128).contains(key.SecretAccessKey.utf8.count),
            key.SecretAccessKey.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { throw Problem(text: "has a malformed secret access key") }
        (accessKeyID, secretAccessKey) = (key.AccessKeyId, key.SecretAccessKey)
    }

    private static func isWordCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_")
    }
}
