import HTTPTypes
import Hummingbird
import UseCases

extension ProfilePicture {
    /// The fields of a response with the picture. A browser does not take it for anything but an image.
    package var headers: HTTPFields {
        [
            .contentType: type.description, .eTag: tag, .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: "default-src 'none'",
        ]
    }

    /// The version as an entity tag.
    var tag: String { "\"\(version)\"" }
}
