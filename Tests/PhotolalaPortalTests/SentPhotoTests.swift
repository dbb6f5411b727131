import Foundation
import PhotoCatalog
import Testing
import UseCases

@testable import PhotolalaPortal

/// What the upload script sends of a photo.
@Suite struct SentPhotoTests {
    private func photo(_ facts: String) throws -> SentPhotos.Photo {
        let text = #"{"path":"a.mp4","md5":"0123456789abcdef0123456789abcdef","modified":1,\#(facts)}"#
        return try JSONDecoder().decode(SentPhotos.Photo.self, from: Data(text.utf8))
    }

    @Test(
        "the fields of a camera make one name, or none",
        arguments: [
            (#""camera":{"make":"Canon","model":"Canon EOS R5"}"#, "Canon EOS R5"),
            (#""camera":{"make":"Apple","model":"iPhone 15"}"#, "Apple iPhone 15"),
            (#""camera":{"make":"NIKON CORPORATION"}"#, "NIKON CORPORATION"), (#""camera":{"model":"=1+1"}"#, nil),
            (#""camera":null"#, nil), (#""color":"a1b2c3""#, nil),
        ])
    func cameras(_ facts: String, _ name: String?) throws {
        #expect(try photo(facts).arrival(in: "Uploads").camera?.description == name)
    }

    @Test("a duration is a number of whole milliseconds that is not zero")
    func durations() throws {
        #expect(try photo(#""duration":1500"#).arrival(in: "Uploads").duration?.milliseconds == 1500)
        #expect(try photo(#""duration":null"#).arrival(in: "Uploads").duration == nil)
        #expect(throws: ServiceError.self) { try photo(#""duration":0"#).arrival(in: "Uploads") }
        for wrong in ["1.5", "-1", "4294967296"] {
            #expect(throws: DecodingError.self, "\(wrong)") { try photo(#""duration":\#(wrong)"#) }
        }
    }

    @Test(
        "fields of a camera that the script never sends are refused",
        arguments: ["{}", #"{"make":""}"#, #"{"model":"\#(String(repeating: "a", count: 101))"}"#])
    func wrongCameras(_ camera: String) throws {
        #expect(throws: ServiceError.self) { try photo(#""camera":\#(camera)"#).arrival(in: "Uploads") }
    }
}
