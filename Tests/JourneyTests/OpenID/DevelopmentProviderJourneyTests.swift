import Foundation
import PhotolalaTesting
import Testing

/// The development provider at a real server, as a web app uses it: with Authlib's OAuth client and joserfc.
@Suite(.enabled(if: PythonClient.program != nil, "run scripts/install-clients"))
struct DevelopmentProviderJourneyTests {
    @Test("an app signs a test person in with the code flow, and the ID token opens an account")
    func codeFlow() async throws {
        try await withTemporaryFolder { folder, transport in
            let server = try await ServerProcess(data: folder.appendingPathComponent("data"), transport: transport)
            let run = try await PythonClient.run(Self.script, ["SERVER": server.address], in: folder)
            #expect(run.status == 0 && run.output.hasSuffix("DONE\n"), "\(run.output)")
            #expect(server.stop() == 0)
        }
    }

    private static let script = """
        import html, os, re, uuid
        import requests
        from authlib.integrations.base_client import OAuthError
        from authlib.integrations.requests_client import OAuth2Session
        from joserfc import jwt
        from joserfc.jwk import KeySet
        SERVER = os.environ['SERVER']
        CALLBACK = 'http://127.0.0.1:9/callback'

        def call(path, body, token=None):
            headers = {'Authorization': f'Bearer {token}'} if token else {}
            return requests.post(SERVER + path, json=body, headers=headers)

        def fields(page):
            assert page.status_code == 200 and page.headers['content-type'].startswith('text/html'), page.text
            found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page.text)
            return {name: html.unescape(value) for name, value in found}

        def client(meta, **other):
            return OAuth2Session(
                CLIENT, redirect_uri=CALLBACK, token_endpoint_auth_method='none', code_challenge_method='S256', **other)

        for name in ['apple', 'google']:
            issuer = f'{SERVER}/dev/providers/{name}'
            CLIENT = 'photolala-dev'
            meta = requests.get(f'{issuer}/.well-known/openid-configuration').json()
            assert meta['issuer'] == issuer
            device = {'id': str(uuid.uuid4()), 'name': 'A browser', 'platform': 'web'}
            challenge = call('/auth/challenge', {'purpose': 'signup', 'deviceID': device['id']}).json()['challenge']
            verifier = 'v' * 64
            extra = {'nonce': challenge}
            if name == 'apple':
                extra['response_mode'] = 'form_post'
            app = client(meta, scope='openid email')
            url, state = app.create_authorization_url(meta['authorization_endpoint'], code_verifier=verifier, **extra)
            # Selecting a person submits the values of the form.
            asked = fields(requests.get(url))
            answer = requests.post(
                meta['authorization_endpoint'], data={**asked, 'person': 'bob'}, allow_redirects=False)
            if name == 'apple':
                posted = fields(answer)
                assert 'user' not in posted and posted['state'] == state
                back = f'{CALLBACK}?code={posted["code"]}&state={posted["state"]}'
            else:
                assert answer.status_code == 303
                back = answer.headers['location']
                assert f'iss={issuer}'.replace(':', '%3A').replace('/', '%2F') in back
            token = app.fetch_token(meta['token_endpoint'], authorization_response=back, code_verifier=verifier)
            keys = KeySet.import_key_set(requests.get(meta['jwks_uri']).json())
            claims = jwt.decode(token['id_token'], keys, algorithms=['RS256']).claims
            assert claims['iss'] == issuer and claims['sub'] == 'dev-bob' and claims['nonce'] == challenge, claims
            signed = call('/auth/signup', {
                'provider': name, 'idToken': token['id_token'], 'challenge': challenge, 'device': device})
            assert signed.status_code == 201, signed.text
            # The same code again, and one with another verifier.
            for wrong in [{'code_verifier': verifier}, {'code_verifier': 'w' * 64}]:
                try:
                    if wrong['code_verifier'] != verifier:
                        answer = requests.post(
                            meta['authorization_endpoint'], data={**asked, 'person': 'bob', 'response_mode': 'form_post'},
                            allow_redirects=False)
                        back = f'{CALLBACK}?code={fields(answer)["code"]}&state={state}'
                    client(meta, state=state).fetch_token(meta['token_endpoint'], authorization_response=back, **wrong)
                    raise SystemExit('a wrong code was taken')
                except OAuthError as error:
                    assert error.error == 'invalid_grant', error
            # Who changes their mind.
            answer = requests.post(
                meta['authorization_endpoint'], data={**asked, 'cancel': '1', 'response_mode': 'form_post'},
                allow_redirects=False)
            cancelled = 'user_cancelled_authorize' if name == 'apple' else 'access_denied'
            assert fields(answer)['error'] == cancelled
        print('DONE')
        """
}
